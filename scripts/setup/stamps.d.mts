export type Target = 'web' | 'server' | 'city' | 'package'
export const TARGETS: Record<Target, string[]>
export function contentHash(root: string, paths: string[]): string
export function isStale(root: string, target: Target): boolean
export function buildWithStamp(root: string, target: Target, build: () => unknown): Promise<void>
