import type { Command } from './command.ts'
import type { Field } from './fields.ts'

const COMMON = `Everywhere
  --world ID      the world that is meant (or WHEREABOUTS_WORLD); main unless it is said
  --server URL    the mock server (or WHEREABOUTS_URL); http://localhost:8080 unless it is said
  --token TOKEN   its CONTROL_TOKEN, when it has one
  --json          the answer as JSON
  --help          what a command takes, with an example
`

export function overview(commands: readonly Command[]) {
  const width = Math.max(...commands.map(({ words }) => words.length))
  const lines = commands.map(({ words, about }, index) => {
    const isNew = words.split(' ')[0] !== commands[index - 1]?.words.split(' ')[0]
    return `${isNew ? '\n' : ''}  ${words.padEnd(width)}  ${about}\n`
  })
  return `Steers a local stack of Whereabouts: its worlds, their time, mail, payments, trackers and faults.

Usage: whereabouts COMMAND [options]
${lines.join('')}
${COMMON}
Exit code: 0 done, 1 refused or failed, 2 not understood.
`
}

/** Help for a first word that is not a command by itself, such as `pay`. */
export function groupHelp(word: string, group: readonly Command[]) {
  const width = Math.max(...group.map(({ words }) => words.length))
  return `Usage: whereabouts ${word} COMMAND [options]

${group.map(({ words, about }) => `  ${words.padEnd(width)}  ${about}\n`).join('')}
${COMMON}
Example
  whereabouts ${group[0]!.example}
`
}

export function helpOf({ words, about, args, fields, example }: Command) {
  const usage = args.map((arg) => (arg.endsWith('?') ? `[${arg.slice(0, -1).toUpperCase()}]` : arg.toUpperCase()))
  const names = fields.map(typed)
  const width = Math.max(0, ...names.map((name) => name.length))
  const options = fields.map((field, index) => `  ${names[index]!.padEnd(width)}  ${remarks(field)}`.trimEnd())
  return `${about}

Usage: whereabouts ${[words, ...usage].join(' ')}${fields.length > 0 ? ' [options]' : ''}
${options.length > 0 ? `\nOptions\n${options.join('\n')}\n` : ''}
${COMMON}
Example
  whereabouts ${example}
`
}

const typed = ({ name, kind }: Field) => `--${name}${kind === 'switch' ? '' : ` ${kind.toUpperCase()}`}`

const remarks = ({ isRequired, isList, choices }: Field) =>
  [isRequired ? 'needed' : '', isList ? 'as often as you like' : '', choices.join(', ')].filter(Boolean).join('; ')
