import type { EventType } from '#contracts/mock/events.ts'

/** A sentence that it answers, at once or later, is what came of it. */
export type Work = () => unknown

/** What a tab works with. */
export type Desk = {
  /** Shows these in place of what was there. */
  fill(...parts: Node[]): void
  /** Does something and says what came of it, or why it was refused. */
  act(work: Work): Promise<void>
  /** Hears what happens in the world for as long as the tab is shown. */
  hear(type: EventType, heard: (data: unknown) => void): void
  /** Whether the tab is still shown. */
  isShown(): boolean
  /** Loads the portal anew, which then shows what is there now, and says this after it. */
  reload(said: string): void
}

export type Tab = { id: string; title: string; show(desk: Desk): Promise<void> | void }
