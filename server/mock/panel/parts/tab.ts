import type { EventType } from '#contracts/mock/events.ts'

/** An action; a string that it returns or resolves to is shown in the status bar. */
export type TabAction = () => unknown

export type TabContext = {
  fill(...parts: Node[]): void
  run(action: TabAction): Promise<void>
  on(type: EventType, listener: (data: unknown) => void): void
  isShown(): boolean
  /** Selects another tab. */
  open(id: string): void
  /** Reloads the portal so that it shows the changed state, then shows this message. */
  reload(message: string): void
}

export type Tab = { id: string; title: string; show(context: TabContext): Promise<void> | void }
