import { boostEnd } from './boost-end.ts'
import { cleanUp } from './clean-up.ts'
import type { Job } from './job.ts'
import { linkEnd } from './link-end.ts'
import { networkSilence } from './network-silence.ts'
import { subscriptionEnd } from './subscription-end.ts'

/** Mails are sent by the dispatcher instead, because sending can't be part of a transaction. */
export const JOBS: Job[] = [boostEnd, linkEnd, subscriptionEnd, networkSilence, cleanUp]
