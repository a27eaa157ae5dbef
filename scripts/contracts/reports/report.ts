import * as z from 'zod/mini'
import { VERDICTS } from '#scripts/contracts/client/verdict.ts'

const Finding = z.object({ verdict: z.enum(['drift+', 'enum?', 'fail']), path: z.string(), message: z.string() })

const Result = z.object({
  level: z.string(),
  name: z.string(),
  title: z.string(),
  verdict: z.enum(VERDICTS),
  findings: z.array(Finding),
  note: z.string(),
  /** Whether it failed in the baseline too. */
  known: z.boolean(),
})

const Proof = z.object({ name: z.string(), state: z.enum(['confirmed', 'refuted', 'untested']), reason: z.string() })

/** Report of a run; as JSON it can be the baseline of later runs. */
export const Report = z.object({
  base: z.string(),
  at: z.string(),
  clean: z.boolean(),
  counts: z.record(z.enum(VERDICTS), z.int()),
  results: z.array(Result),
  assumed: z.array(Proof),
  /** Failures of the baseline that no longer occur. */
  mended: z.array(z.string()),
})
export type Report = z.infer<typeof Report>
export type Line = z.infer<typeof Result>

export const titleOf = ({ name, title }: Pick<Line, 'name' | 'title'>) => (title ? `${name}, ${title}` : name)

export const linesOf = ({ findings }: Pick<Line, 'findings'>) =>
  findings.map(({ path, message }) => (path ? `${path}: ${message}` : message))
