export type BrowserKind = 'headless shell' | 'ordinary'
export const KINDS: BrowserKind[]
export function findInstalled(kinds?: BrowserKind[]): string | undefined
export function hasOwnChromium(executablePath: string): boolean
