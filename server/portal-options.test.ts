import { describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { portalOptions } from './portal-options.ts'

const optionsOf = (
  env: Record<string, string>,
  ...tiles: Parameters<typeof portalOptions> extends [unknown, ...infer Rest] ? Rest : never
) => portalOptions(readConfig(env), ...tiles).config

describe('the options of the portal', () => {
  test('R-1.26 product name and support address come from the environment', () => {
    expect(optionsOf({ PRODUCT_NAME: 'Pet Finder', SUPPORT_EMAIL: 'help@pets.example' })).toMatchObject({
      apiBaseUrl: '',
      features: expect.arrayContaining(['places', 'track']),
      productName: 'Pet Finder',
      supportEmail: 'help@pets.example',
    })
  })

  test('R-2.26 R-2.31 contact form and app links come from the environment', () => {
    const env = {
      SUPPORT_FORM_URL: 'https://pets.example/help',
      TRACK_APP_URL: 'pets://open',
      COLLAR_APP_PLAY_URL: 'https://play.example/collar',
    }
    expect(optionsOf(env)).toMatchObject({
      supportForm: env.SUPPORT_FORM_URL,
      apps: { track: { open: env.TRACK_APP_URL }, collar: { playStore: env.COLLAR_APP_PLAY_URL } },
    })
    expect(JSON.parse(JSON.stringify(optionsOf({})))).toMatchObject({ apps: { track: {}, collar: {} } })
  })

  test('the map is OpenStreetMap with its attribution, unless the server draws its own tiles', () => {
    expect(optionsOf({}).tiles).toMatchObject({ attribution: '© OpenStreetMap contributors', maxZoom: 19 })
    const own = { url: '/mock/tiles/{z}/{x}/{y}.svg', attribution: 'Ours', maxZoom: 18 }
    expect(optionsOf({}, own).tiles).toEqual(own)
  })

  test('a configured tile server takes precedence', () => {
    const own = { url: '/mock/tiles/{z}/{x}/{y}.svg', attribution: 'Ours', maxZoom: 18 }
    const env = { TILE_URL: 'https://tiles.example/{z}/{x}/{y}.png', TILE_ATTRIBUTION: '© Tiles' }
    expect(optionsOf(env, own).tiles).toEqual({ url: env.TILE_URL, attribution: env.TILE_ATTRIBUTION, maxZoom: 19 })
  })

  test('satellite imagery is offered only when a server for it is configured', () => {
    const env = { SATELLITE_TILE_URL: 'https://sky.example/{z}/{x}/{y}.jpg', SATELLITE_TILE_ATTRIBUTION: '© Sky' }
    expect(optionsOf(env).satellite).toEqual({ url: env.SATELLITE_TILE_URL, attribution: '© Sky', maxZoom: 19 })
    expect(optionsOf({}).satellite).toBeUndefined()
  })

  test('the pages of another payment provider are at its API, under both names of this machine', () => {
    expect(optionsOf({}).payments).toBeUndefined()
    expect(optionsOf({ STRIPE_API_URL: 'https://stripe.staging.example' }).payments).toEqual({
      origins: ['https://stripe.staging.example'],
    })
    expect(optionsOf({ STRIPE_API_URL: 'http://127.0.0.1:12111' }).payments).toEqual({
      origins: ['http://127.0.0.1:12111', 'http://localhost:12111'],
    })
  })

  test('the options contain no secret', () => {
    const secrets = {
      SECRETS_KEY: '9'.repeat(43),
      STRIPE_SECRET_KEY: 'sk_test_9',
      STRIPE_WEBHOOK_SECRET: 'whsec_9',
      SMTP_URL: 'smtp://u:p9@mail.example',
      CONTROL_TOKEN: '9'.repeat(24),
    }
    const told = JSON.stringify(optionsOf(secrets))
    for (const secret of Object.values(secrets)) expect(told).not.toContain(secret)
  })
})
