import { isCode } from './code.ts'
import { asProblems, command } from './command.ts'
import { type Files, type Finding, pick } from './finding.ts'

/** `--listFiles` prints the files that were read; ours are those outside node_modules. */
export const types = async (): Promise<Finding> => {
  const answer = await command('tsc', ['-p', '.', '--listFiles'])
  const isListed = (line: string) => /^\S+\.([cm]?tsx?|json)$/.test(line)
  const lines = answer.output.split('\n')
  return {
    looked: lines.filter((line) => isListed(line) && !line.includes('node_modules')).length,
    problems: asProblems({ ...answer, output: lines.filter((line) => !isListed(line)).join('\n') }),
  }
}

export const lint = async (): Promise<Finding> => {
  const answer = await command('biome', ['ci', '--max-diagnostics=50', '--colors=off', '.'])
  return { looked: Number(answer.output.match(/Checked (\d+) files/)?.[1] ?? 0), problems: asProblems(answer) }
}

/** knip does not print how many files it read, so the code files are counted. */
export const unused = async (files: Files): Promise<Finding> => ({
  looked: pick(files, isCode).length,
  problems: asProblems(await command('knip', ['--no-progress'])),
})
