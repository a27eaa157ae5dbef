import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PASSWORD } from '#e2e/foreign-backend/state.ts'
import { createSystemIo, type Io, runCheck } from '#scripts/contracts/index.ts'
import { visitPortal } from '#scripts/contracts/levels/portal-visit.ts'
import { EVERY, expect, over } from './journey.ts'

over(EVERY, 'the portal opens with the configuration that the check writes', async ({ backend }) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'contracts-'))
  const [config, report] = [path.join(folder, 'config.json'), path.join(folder, 'report.json')]
  const io: Io = { ...createSystemIo(new AbortController().signal), visitPortal, err: () => undefined }
  const account = ['--email', 'ada@example.org', '--password', PASSWORD]
  const flags = [
    '--max-rps',
    '1000',
    '--clean-up',
    path.join(folder, 'clean-up.json'),
    '--format',
    `json=${report}`,
    '--write-config',
    config,
  ]
  await runCheck(['--base', backend.baseUrl, ...account, ...flags], io)
  const { results } = JSON.parse(readFileSync(report, 'utf8')) as { results: { name: string; note: string }[] }
  rmSync(folder, { recursive: true })
  expect(results.find(({ name }) => name === 'portal.open')?.note).toBe('opens: 16 trackers, 12 on the map')
})
