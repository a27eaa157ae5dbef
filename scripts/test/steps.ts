import { spawnSync } from 'node:child_process'
import { delimiter, resolve } from 'node:path'
import type { Counts } from './counts.ts'

/** One step of the test run; `counts` reads the number of tests, for steps that run tests. */
export type Step = { name: string; command: string; args: string[]; counts?: () => Counts }

const env = () => ({ ...process.env, PATH: `${resolve('node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}` })

const isGreen = (step: Step) => {
  const done = spawnSync(step.command, step.args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: env(),
    shell: process.platform === 'win32',
  })
  return done.status === 0
}

/** Runs the steps in order and returns the name of the one that failed. A step that ran no test fails. */
export const runSteps = (steps: Step[], onCounts: (counts: Counts) => void): string | undefined => {
  for (const step of steps) {
    console.log(`\n== ${step.name}`)
    const start = performance.now()
    const green = isGreen(step)
    const counts = step.counts?.()
    if (counts) onCounts(counts)
    const ranNothing = counts !== undefined && counts.passed + counts.failed === 0
    if (ranNothing) console.error(`${step.name} ran no test`)
    console.log(`== ${step.name}: ${green && !ranNothing ? 'ok' : 'FAILED'} in ${((performance.now() - start) / 1000).toFixed(1)} s`)
    if (!green || ranNothing || (counts?.failed ?? 0) > 0) return step.name
  }
  return undefined
}
