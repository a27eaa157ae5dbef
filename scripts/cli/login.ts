import { type Command, callCommand } from './command.ts'
import type { Field } from './fields.ts'

const open: Field = { name: 'open', part: 'query', path: ['open'], kind: 'switch', isList: false, isRequired: false, choices: [] }
const signIn = callCommand('login', 'scenarios.login', 'login alice --open', { args: ['persona'] })

/** Signs a persona in and prints the URL of the portal; `--open` opens it. */
export const login: Command = {
  ...signIn,
  fields: [...signIn.fields, open],
  async run({ body, query }, { calls, io }) {
    const data = await calls.scenarios.login({ body: { persona: String(body.persona) } })
    if (query.open) io.open(data.url)
    return { data, text: `${data.url}\n` }
  },
}
