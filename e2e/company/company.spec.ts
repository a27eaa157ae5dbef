import { createHmac } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, withoutWorld as test } from '#e2e/portal.ts'
import { startCompany } from './company.ts'

const PASSWORD = 'right horse battery'
const NORA = 'nora@shop.example'
const ANN = 'ann@example.org'
const BEN = 'ben@example.org'
const ITEMS = 1000

const padded = (index: number, length: number) => String(index).padStart(length, '0')
/** Numbers of an item of the stock, with the separator as printed on the tracker. */
const item = (index: number) => ({ identifier: `77${padded(index, 6)}-01`, serial: `FIRST${padded(index, 7)}` })
const STOCK = [
  'identifier,serial,type,batch',
  ...Array.from({ length: ITEMS }, (_, index) => `${item(index).identifier},${item(index).serial},tracker_06,2026-11`),
].join('\n')

const once = { currency: 'eur', taxBehavior: 'inclusive', interval: null, intervalCount: null, months: 0, extra: 0 }
const PRICES = [
  { ...once, id: 'eur-12m', type: 'plan', name: '1 year', unitAmount: 1495, interval: 'year', intervalCount: 1, months: 12 },
  { ...once, id: 'eur-care', type: 'option', name: 'care', unitAmount: 990 },
  { ...once, id: 'eur-tracker', type: 'tracker', name: 'replacement', unitAmount: 4990 },
]

/** The code of an authenticator app for its secret in base32 (RFC 6238). */
function codeOf(secret: string, now = Date.now()) {
  const bits = [...secret.replace(/\s/g, '')]
    .map((sign) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(sign).toString(2).padStart(5, '0'))
    .join('')
  const key = Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(now / 30_000)))
  const hash = createHmac('sha1', key).update(counter).digest()
  return String((hash.readUInt32BE(hash.at(-1)! & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()

/** CI and the night run both engines; on PostgreSQL the tests of the API send the same statements. */
const ENGINES = process.env.POSTGRES_TESTS === 'all' ? (['sqlite', 'postgres'] as const) : (['sqlite'] as const)

for (const engine of ENGINES)
  test(`on ${engine} a company sells, ships and helps from an empty database on, without SQL`, async ({ browser }) => {
    test.setTimeout(600_000)
    await using company = await startCompany(engine)
    const open = async () => {
      const context = await browser.newContext({ baseURL: company.origin, serviceWorkers: 'block', locale: 'en-IE' })
      context.setDefaultTimeout(60_000)
      return context.newPage()
    }

    // An administrator, by one command.
    const invitation = /http\S+\/operator\/invitation\?key=\w+/.exec(await company.operate('staff', 'add', NORA, '--role', 'admin'))![0]
    const staff = await open()
    await staff.goto(invitation)
    await staff.getByLabel(/^Your name/).fill('Nora King')
    await staff.getByLabel(/^Password/).fill(PASSWORD)
    const secret = await staff.locator('code').innerText()
    await staff
      .getByLabel(/^First code|code/i)
      .last()
      .fill(codeOf(secret))
    await press(staff, 'Set up and sign in')
    await press(staff, 'I have saved them')
    await expect(staff.getByRole('link', { name: 'Stock' })).toBeVisible()

    // Prices, and a thousand trackers.
    await company.operate('prices', company.write('prices.json', JSON.stringify(PRICES)))
    await staff.goto('/operator/stock')
    await press(staff, 'Import a list')
    await staff.getByLabel(/Choose a csv file/).setInputFiles({ name: 'november.csv', mimeType: 'text/csv', buffer: Buffer.from(STOCK) })
    await staff.getByRole('button', { name: 'Import', exact: true }).click()
    await expect(staff.getByText('Imported. New: 1,000, changed: 0')).toBeVisible()

    // A customer signs up and claims a tracker by its S/N; a stranger claims one by its number alone.
    const ann = await open()
    await signUp(ann, ANN, 'Ann')
    await ann.goto(/http\S+account_confirmation\?key=\w+/.exec((await company.mail(ANN, 'account_confirmation')).text)![0])
    await expect(ann.getByRole('heading', { level: 1 })).toBeVisible()
    await addTracker(ann, item(0).identifier, 'Boat')
    const ben = await open()
    await signUp(ben, BEN, 'Ben')
    await addTracker(ben, item(1).identifier, 'Not his')
    await returnSquatted(ann)

    // Included months begin, and a year more is bought by card.
    await ann.goto('/subscriptionSelector')
    const boat = ann.getByRole('listitem').filter({ hasText: 'Boat' })
    await boat.getByRole('button', { name: /Activate subscription/ }).click()
    await press(ann, 'Activate now')
    await expect(boat.getByRole('link', { name: 'Extend: Boat' })).toBeVisible()
    await boat.getByRole('link', { name: 'Extend: Boat' }).click()
    await press(ann, 'Add: Care')
    await press(ann, 'Pay by card')
    await pay(ann, '€24.85')
    await expect(ann.getByText('Thank you, your payment has arrived')).toBeVisible({ timeout: 60_000 })

    // The boat sinks, and the care plan pays half of a replacement.
    await ann.goto('/trackers')
    await ann.getByRole('link', { name: 'Boat' }).first().click()
    await ann.goto(`${new URL(ann.url()).pathname}/settings`)
    const plan = ann.getByRole('region', { name: 'Care plan' })
    await plan.getByRole('button', { name: 'Use your care plan' }).click()
    await plan.getByRole('combobox', { name: 'Why do you need a replacement?' }).selectOption('It is lost')
    await plan.getByRole('textbox', { name: 'What happened' }).fill('Fell into the river')
    await plan.getByRole('textbox', { name: 'Delivery address' }).fill('Ann Buyer, Quay 1, 1050 Copenhagen, Denmark')
    await plan.getByRole('button', { name: 'Continue to payment' }).click()
    await pay(ann, '€24.95')
    await expect(plan.getByText('Your replacement is ordered.')).toBeVisible({ timeout: 60_000 })

    // A batch of codes; one is linked to the other tracker.
    await staff.goto('/operator/codes')
    await press(staff, 'Make codes')
    const make = staff.getByRole('dialog')
    await make.getByRole('textbox', { name: /Name of the batch/ }).fill('Boxes')
    await make.getByRole('textbox', { name: /Number/ }).fill('20')
    await make.getByRole('button', { name: 'Make codes' }).click()
    const code = await staff.getByRole('table', { name: 'Code', exact: true }).getByRole('rowheader').first().innerText()
    await ann.goto(`/link_subscription?code=${code}`)
    await ann.getByRole('combobox', { name: /Tracker/ }).selectOption('Bike')
    await press(ann, 'Link subscription')
    await expect(ann.getByRole('heading', { name: 'Subscription linked' })).toBeVisible()

    // The order is shipped, and its owner follows it.
    await staff.goto('/operator/orders?state=to_pick')
    const reference = await staff.getByRole('table', { name: 'Orders' }).getByRole('rowheader').first().innerText()
    await staff.getByRole('link', { name: reference }).click()
    await press(staff, 'Take from stock')
    await press(staff, 'Mark as picked')
    await staff.getByRole('button', { name: 'Ship', exact: true }).click()
    await staff.getByLabel(/^Carrier/).fill('DPD')
    await staff.getByLabel(/^Parcel number/).fill('0123 45')
    await press(staff, 'Mark as shipped')
    await expect(staff.getByRole('button', { name: 'Mark as delivered' })).toBeVisible()
    await ann.goto(`/orders/${reference}`)
    await expect(ann.getByRole('link', { name: /012345/ })).toBeVisible()
    await company.mail(ANN, reference)

    // Support finds the customer and helps; finance pays the invoice back.
    await staff.goto(`/operator/customers?q=${ANN}`)
    await staff.getByRole('link', { name: /Ann Buyer/ }).click()
    await expect(staff.getByRole('table', { name: 'Orders' })).toContainText(reference)
    await staff.goto('/operator/invoices')
    await staff.getByRole('table', { name: 'Invoices' }).getByRole('link').first().click()
    await press(staff, 'Pay back')
    await press(staff, /^Pay back €/)
    await expect(staff.getByText(/^CN-/)).toBeVisible()
    await ann.goto('/invoices')
    await expect(ann.getByText(/refunded/i).first()).toBeVisible({ timeout: 60_000 })

    // Every deed stands in the log.
    await staff.goto('/operator/log')
    await expect(staff.getByRole('row', { name: /Boxes/ })).toBeVisible()
    const deeds = await staff.getByRole('row').allInnerTexts()
    const expected = [
      /^Paid back 24\.95 EUR of INV-\d+\tNora King/,
      new RegExp(`^Shipped the order ${reference} with DPD, parcel 012345\tNora King`),
      new RegExp(`^Took the order ${reference} from the stock`),
      /^Made the codes Boxes; number: 20/,
      /^Imported stock from november\.csv; new: 1000/,
      /^Replaced the price list by prices\.json; prices: 3, changed: 0\toperator\.js/,
      /^Invited nora@shop\.example .*\toperator\.js/,
    ]
    expect(deeds.slice(1)).toEqual(expected.map((words) => expect.stringMatching(words)))

    // The owner stops the renewal, withdraws from the year without signing in, and the money goes back.
    await ann.goto('/subscriptionSelector')
    await boat.getByRole('button', { name: 'Stop renewing: Boat' }).click()
    await ann.getByRole('dialog').getByRole('button', { name: 'Stop renewing' }).click()
    await expect(boat.getByRole('button', { name: 'Keep renewing: Boat' })).toBeVisible()
    await staff.goto('/operator/orders?sort=date')
    const bought = await staff.getByRole('table', { name: 'Orders' }).getByRole('rowheader').first().innerText()
    const visitor = await open()
    await visitor.goto('/mail/withdraw/')
    await visitor.getByLabel(/^Number/).fill(bought)
    await visitor.getByLabel('E-mail address').fill(ANN)
    await press(visitor, 'Continue')
    await press(visitor, 'Withdraw from contract now')
    await expect(visitor.getByText(/The confirmation is on its way/)).toBeVisible()
    await company.mail(ANN, /The money goes back to the card that paid/)
    await expect(async () => {
      await staff.goto('/operator/withdrawals')
      await expect(staff.getByRole('row', { name: new RegExp(bought) }).getByText('Paid back')).toBeVisible({ timeout: 5000 })
    }).toPass({ timeout: 60_000 })
  })

async function signUp(page: Page, email: string, name: string) {
  await page.goto('/signup')
  await page.getByLabel(/^First name/).fill(name)
  await page.getByLabel(/^Last name/).fill('Buyer')
  await page.getByLabel(/^E-mail/).fill(email)
  await page.getByLabel(/^Password/).fill(PASSWORD)
  await press(page, 'Create account')
  await expect(page).toHaveURL(/account_email_sent/)
}

async function addTracker(page: Page, identifier: string, name: string) {
  await page.goto('/trackers/add')
  await page.getByRole('textbox', { name: /^Identifier/ }).fill(identifier)
  await page.getByRole('textbox', { name: /^Name/ }).fill(name)
  await page.getByRole('radio', { name: 'Other' }).check()
  await press(page, 'Add tracker')
  await expect(page.getByRole('article', { name })).toBeVisible()
}

/** Pays with the test card on the provider's page. */
async function pay(page: Page, amount: string) {
  await page.getByLabel('Card number').fill('4242 4242 4242 4242')
  await press(page, `Pay ${amount}`)
}

/** The buyer of a tracker that somebody else has claimed gets it by the S/N that is printed on it. */
async function returnSquatted(page: Page) {
  const { identifier, serial } = item(1)
  await page.goto('/trackers/add')
  await page.getByRole('textbox', { name: /^Identifier/ }).fill(identifier)
  await page.getByRole('textbox', { name: /^Name/ }).fill('Bike')
  await page.getByRole('radio', { name: 'Other' }).check()
  await press(page, 'Add tracker')
  await page.getByRole('link', { name: /Is the tracker yours/ }).click()
  await page.getByRole('link', { name: /Ask to unlink it/ }).click()
  await page.getByRole('combobox', { name: /How did you get/ }).selectOption('bought_used')
  await press(page, 'Prove that it is yours')
  await page.getByRole('link', { name: /Check the S\/N/ }).click()
  await page.getByRole('textbox', { name: /^S\/N/ }).fill(serial)
  await press(page, 'Check S/N')
  await page.getByRole('link', { name: 'Add it now' }).click()
  await page.getByRole('textbox', { name: /^Name/ }).fill('Bike')
  await page.getByRole('radio', { name: 'Other' }).check()
  await press(page, 'Add tracker')
  await expect(page.getByRole('article', { name: 'Bike' })).toBeVisible()
}
