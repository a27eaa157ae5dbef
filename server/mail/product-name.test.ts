import { expect, test } from 'vitest'
import { createInstallation, findFreePort } from '#server/test/test-process.ts'
import { getHeader, splitParts, startSmtp } from '#server/test/test-smtp.ts'

test('every mail uses the configured product name, wherever it is read', async () => {
  using installed = await createInstallation()
  installed.seed()
  await using smtp = await startSmtp()
  const PORT = String(await findFreePort())
  const server = installed.start('server/mock/main.ts', { PORT, PRODUCT_NAME: 'Acme', SMTP_URL: smtp.url })
  await server.says('Whereabouts is running')
  await expect.poll(() => smtp.taken.length).toBeGreaterThan(0)
  const mail = smtp.taken[0]!
  expect(getHeader(mail, 'From')).toBe('Acme <no-reply@example.com>')
  const read = async (path: string) => (await fetch(`http://127.0.0.1:${PORT}/mock/mail/${path}`)).text()
  const { id } = JSON.parse(await read(''))[0]
  const forms = await Promise.all([`${id}/text`, `${id}/html`, `${id}/eml`, 'preview/low_battery'].map(read))
  const parts = [...splitParts(mail)].flatMap(([type, part]) => (type === 'application/pdf' ? [] : part))
  for (const form of [...parts, ...forms]) {
    expect(form).toContain('Acme')
    expect(form).not.toContain('Whereabouts')
  }
})
