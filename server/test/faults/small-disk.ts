import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Mounts a file system of a few megabytes that can be filled; undefined where this user may not mount one. */
export function mountSmallDisk(megabytes: number) {
  const folder = mkdtempSync(path.join(tmpdir(), 'whereabouts-disk-'))
  const ballast = path.join(folder, 'ballast')
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    rmSync(folder, { recursive: true })
    return undefined
  }
  return {
    folder,
    fill() {
      const file = openSync(ballast, 'w')
      try {
        for (const size of [65_536, 512]) fillBy(file, size)
      } finally {
        closeSync(file)
      }
    },
    free: () => rmSync(ballast, { force: true }),
    [Symbol.dispose]() {
      execFileSync('umount', ['--lazy', folder])
      rmSync(folder, { recursive: true })
    },
  }
}

function fillBy(file: number, size: number) {
  try {
    while (true) writeSync(file, Buffer.alloc(size))
  } catch {
    // The disk is full.
  }
}
