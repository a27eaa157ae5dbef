import { readConfigFile } from '#scripts/contracts/client/auth.ts'
import { type Backend, signIn } from '#scripts/contracts/client/backend.ts'
import { openCleanUp } from '#scripts/contracts/client/clean-up.ts'
import { createFilter, getEndpoint } from '#scripts/contracts/client/endpoints.ts'
import { CHECK_HELP, type Format, type Options, parseCheckFlags } from '#scripts/contracts/client/flags.ts'
import { CannotRun, EXIT_BROKEN, EXIT_CLEAN, EXIT_COULD_NOT_RUN, type Io, runProgram, saveFile } from '#scripts/contracts/client/io.ts'
import { evaluateSuccess } from '#scripts/contracts/client/judge.ts'
import { createRecorder, createRedactor, type Redactor } from '#scripts/contracts/client/recorder.ts'
import { createRunLog, type Missing } from '#scripts/contracts/client/run.ts'
import { createRateLimit, createSender } from '#scripts/contracts/client/send.ts'
import { listAbilities } from '#scripts/contracts/levels/abilities.ts'
import { checkDestructive, requireDisposable } from '#scripts/contracts/levels/destructive.ts'
import { type Feature, featureOf, findFeatures, isSpare } from '#scripts/contracts/levels/features.ts'
import { findNames } from '#scripts/contracts/levels/own-names.ts'
import { checkParity } from '#scripts/contracts/levels/parity.ts'
import { checkPreflight, listExposedHeaders } from '#scripts/contracts/levels/preflight.ts'
import { checkReads } from '#scripts/contracts/levels/reads.ts'
import { checkErrors } from '#scripts/contracts/levels/refusals.ts'
import { checkWrites, cleanUpLeftovers } from '#scripts/contracts/levels/write.ts'
import { parseNames, writeConfig } from '#scripts/contracts/levels/write-config.ts'
import { formatJunit, formatTable } from '#scripts/contracts/reports/formats.ts'
import { formatHtml } from '#scripts/contracts/reports/html.ts'
import { createReport, type Report, readBaseline } from '#scripts/contracts/reports/report.ts'

/** Checks a backend against the contract table. Exit code: 0 clean, 1 broken, 2 could not run. */
export const runCheck = (argv: readonly string[], io: Io): Promise<number> =>
  runProgram(
    async () => {
      const options = parseCheckFlags(argv, io.env)
      if (!options) {
        io.out(CHECK_HELP)
        return EXIT_CLEAN
      }
      const report = await checkBackend(options, io)
      for (const { format, file } of options.formats) {
        if (file) saveFile(file, reports[format](report))
        else io.out(reports[format](report))
      }
      if (!report.clean) return EXIT_BROKEN
      return report.unchecked.length > 0 ? EXIT_COULD_NOT_RUN : EXIT_CLEAN
    },
    (text) => io.err(`contracts:check: ${text}`),
  )

const reports: Record<Format, (report: Report) => string> = {
  table: formatTable,
  json: (report) => `${JSON.stringify(report, null, 1)}\n`,
  junit: formatJunit,
  html: formatHtml,
}

async function checkBackend(options: Options, io: Io): Promise<Report> {
  const baseline = readBaseline(options.baseline)
  const isSelected = createFilter(options.only)
  const configFields = readConfigFile(options.writeConfig)
  if (options.writeConfig && !options.as) throw new CannotRun('--write-config: sign in, to see what the backend has')
  const cleanUp = openCleanUp(options.cleanUp, options.base)
  const redactor = createRunRedactor(options)
  const recorder = createRecorder(redactor)
  const send = createSender({ io, waitForSlot: createRateLimit(options.rps, io), record: recorder.add })
  try {
    const { backend, viewer, form } = await signIn(options, send)
    addSecrets(redactor, backend)
    requireDisposable(options, viewer, io.env.CONTRACTS_DISPOSABLE)
    const other = options.parity && (await signIn({ base: options.parity.base, as: options.parity.as ?? options.as }, send))
    if (other) addSecrets(redactor, other.backend)
    const notes = createRunLog(isSelected)
    const features: Feature[] = []
    const findMissing = (name: string) => toMissing(features.find(({ name: feature }) => feature === featureOf(name)))
    const trackerNames = viewer
      ? await findNames({ backend }, parseNames(configFields.names), options.writeConfig !== undefined)
      : { names: {}, lost: [], findings: [] }
    const current = notes.on({ io, options, backend, viewer, isSelected, trackerNames, findMissing })
    // A selection of calls does not show which features the backend has.
    if (viewer && (options.only === undefined || options.writeConfig)) features.push(...(await findFeatures(current)))
    if (viewer) await cleanUpLeftovers(current, cleanUp)
    await checkPreflight(current)
    const signInCall = getEndpoint('sessions.signIn')
    if (form && isSelected(signInCall.name))
      await current.checkResponse(
        { level: 'reads', endpoint: signInCall },
        async () => form,
        (response) => evaluateSuccess(signInCall.route, response),
      )
    await checkReads(current)
    await checkErrors(current)
    if (viewer && (options.mayWrite || options.mayDestroy)) await checkWrites(current, cleanUp)
    if (other) await checkParity(current, other)
    if (options.mayDestroy) await checkDestructive(current, cleanUp)
    const needs = options.origin ? await listExposedHeaders(backend, options.origin) : []
    if (options.writeConfig) needs.unshift(...(await writeConfig(options.writeConfig, configFields, current, features)))
    return createReport({
      base: options.base,
      at: io.now(),
      results: notes.results,
      assumed: notes.proofs.all(),
      features: features.filter((feature) => !isSpare(feature)),
      abilities: features.length > 0 ? await listAbilities(current, features) : [],
      needs,
      baseline,
      redactor,
    })
  } finally {
    if (options.record) saveFile(options.record, recorder.archive(options.base))
  }
}

function createRunRedactor({ as, parity: other }: Options): Redactor {
  const redactor = createRedactor()
  for (const one of [as, other?.as]) if (one) redactor.add('token' in one ? one.token : one.password)
  return redactor
}

const toMissing = (feature: Feature | undefined): Missing | undefined =>
  feature?.state === 'missing' ? { ...feature, isSpare: isSpare(feature) } : undefined

function addSecrets(redactor: Redactor, { identity: { token, cookies } }: Backend) {
  for (const secret of [token ?? '', ...Object.values(cookies)]) redactor.add(secret)
}
