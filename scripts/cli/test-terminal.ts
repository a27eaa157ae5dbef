import { startPortal } from '#server/test/start-portal.ts'
import type { CliContext } from './command.ts'
import { runCli } from './main.ts'

export async function startTerminal() {
  const portal = await startPortal()
  const server = await portal.app.listen({ port: 0, host: '127.0.0.1' })
  const opened: string[] = []
  const started: { args: readonly string[]; env: Record<string, string> }[] = []
  const env: Record<string, string> = { WHEREABOUTS_URL: server }
  const input: string[] = []
  let exit = 0
  async function type(...argv: string[]) {
    const [out, err]: [string[], string[]] = [[], []]
    const io: CliContext['io'] = {
      out: (text) => void out.push(text),
      err: (text) => void err.push(text),
      env,
      fetch,
      now: () => new Date(),
      pause: async () => undefined,
      stop: AbortSignal.abort(),
      open: (url) => void opened.push(url),
      start: async (args, given) => {
        started.push({ args, env: given })
        return exit
      },
      lines: async function* () {
        yield* input.splice(0)
      },
    }
    const code = await runCli(argv, io)
    return { code, out: out.join(''), err: err.join('') }
  }
  return {
    portal,
    server,
    env,
    type,
    opened,
    started,
    /** The standard input of the next command. */
    input,
    setExitCode: (code: number) => (exit = code),
    json: async (...argv: string[]) => JSON.parse((await type(...argv, '--json')).out),
    [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose](),
  }
}

export const splitWords = (line: string) =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, bare]) => double ?? single ?? bare ?? '')
