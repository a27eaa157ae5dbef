import { check } from '#scripts/contracts/check.ts'
import type { Io } from '#scripts/contracts/client/io.ts'
import { proxy } from '#scripts/contracts/proxy.ts'
import type { Command } from './command.ts'

type Program = (argv: readonly string[], io: Io) => Promise<number>

const passedOn = (words: string, about: string, example: string, program: Program): Command => ({
  words,
  about,
  fields: [],
  args: [],
  example,
  takesAll: true,
  async run(_, { rest, io }) {
    const code = await program(rest, io)
    return { data: { code }, text: '', code }
  },
})

/** The checks of a real backend; they parse their own flags and have their own `--help`. */
export const contractsCommands: readonly Command[] = [
  passedOn('contracts check', 'Asks a real backend whether it keeps the contract', 'contracts check --base https://api.example.com', check),
  passedOn(
    'contracts proxy',
    'Stands before a real backend and holds live traffic against the contract',
    'contracts proxy --base https://api.example.com',
    proxy,
  ),
]
