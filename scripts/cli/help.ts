import type { Command } from './command.ts'
import type { Field } from './fields.ts'

const COMMON_HELP = `Common options
  --world ID      the world to use (or WHEREABOUTS_WORLD); main by default
  --server URL    the mock server (or WHEREABOUTS_URL); http://localhost:8080 by default
  --token TOKEN   the CONTROL_TOKEN of the server, if it has one
  --json          prints the response as JSON
  --help          shows the options of a command, with an example
`

export function formatOverview(commands: readonly Command[]) {
  const width = Math.max(...commands.map(({ name }) => name.length))
  const lines = commands.map(({ name, about }, index) => {
    const isNew = name.split(' ')[0] !== commands[index - 1]?.name.split(' ')[0]
    return `${isNew ? '\n' : ''}  ${name.padEnd(width)}  ${about}\n`
  })
  return `Controls a local stack of Whereabouts: its worlds, their time, mail, payments, trackers and faults.

Usage: whereabouts COMMAND [options]
${lines.join('')}
${COMMON_HELP}
Exit code: 0 done, 1 rejected or failed, 2 not understood.
`
}

/** Help for a first word that is not a command by itself, such as `pay`. */
export function formatGroupHelp(word: string, group: readonly Command[]) {
  const width = Math.max(...group.map(({ name }) => name.length))
  return `Usage: whereabouts ${word} COMMAND [options]

${group.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}\n`).join('')}
${COMMON_HELP}
Example
  whereabouts ${group[0]!.example}
`
}

export function formatCommandHelp({ name, about, args, fields, example }: Command) {
  const usage = args.map((arg) => (arg.endsWith('?') ? `[${arg.slice(0, -1).toUpperCase()}]` : arg.toUpperCase()))
  const names = fields.map(formatOption)
  const width = Math.max(0, ...names.map((name) => name.length))
  const options = fields.map((field, index) => `  ${names[index]!.padEnd(width)}  ${formatRemarks(field)}`.trimEnd())
  return `${about}

Usage: whereabouts ${[name, ...usage].join(' ')}${fields.length > 0 ? ' [options]' : ''}
${options.length > 0 ? `\nOptions\n${options.join('\n')}\n` : ''}
${COMMON_HELP}
Example
  whereabouts ${example}
`
}

const formatOption = ({ name, kind }: Field) => `--${name}${kind === 'switch' ? '' : ` ${kind.toUpperCase()}`}`

const formatRemarks = ({ isRequired, isList, choices }: Field) =>
  [isRequired ? 'required' : '', isList ? 'repeatable' : '', choices.join(', ')].filter(Boolean).join('; ')
