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
  /** It failed in the baseline as well. */
  known: z.boolean(),
})

const Proof = z.object({ name: z.string(), state: z.enum(['confirmed', 'refuted', 'untested']), reason: z.string() })

/** What a run tells; as JSON it is the baseline of later ones. */
export const Report = z.object({
  base: z.string(),
  at: z.string(),
  clean: z.boolean(),
  counts: z.record(z.enum(VERDICTS), z.int()),
  results: z.array(Result),
  assumed: z.array(Proof),
  /** What failed in the baseline and does no more. */
  mended: z.array(z.string()),
})
export type Report = z.infer<typeof Report>
export type Line = z.infer<typeof Result>

/** What was tried, in a few words. */
export const titleOf = ({ name, title }: Pick<Line, 'name' | 'title'>) => (title ? `${name}, ${title}` : name)

/** What came of it, one line each. */
export const linesOf = ({ findings }: Pick<Line, 'findings'>) =>
  findings.map(({ path, message }) => (path ? `${path}: ${message}` : message))
