import type { ScenarioKey } from '#contracts/mock/scenarios.ts'
import { PERSONAS } from '#server/mock/seed/records/personas.ts'
import { billingTrouble } from './billing-trouble.ts'
import { conflict } from './conflict.ts'
import { crowd } from './crowd.ts'
import { edge } from './edge.ts'
import { empty } from './empty.ts'
import { expiring } from './expiring.ts'
import { family } from './family.ts'
import { linkCode } from './link-code.ts'
import { linksMax } from './links-max.ts'
import { pro } from './pro.ts'
import type { Scenario } from './scene.ts'
import { sct2 } from './sct2.ts'
import { theft } from './theft.ts'
import { unconfirmed } from './unconfirmed.ts'

export const SCENARIOS: Record<ScenarioKey, Scenario> = {
  family,
  empty,
  theft,
  sct2,
  pro,
  billing_trouble: billingTrouble,
  expiring,
  link_code: linkCode,
  unconfirmed,
  conflict,
  links_max: linksMax,
  crowd,
  edge,
}

/** The personas of a scenario, the main one first. */
export const castOf = (key: ScenarioKey) => SCENARIOS[key].cast.flatMap((name) => PERSONAS.filter((persona) => persona.key === name))
