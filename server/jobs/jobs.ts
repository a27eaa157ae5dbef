import { boostEnd } from './boost-end.ts'
import { cleanUp } from './clean-up.ts'
import type { Job } from './job.ts'
import { linkEnd } from './link-end.ts'
import { networkSilence } from './network-silence.ts'
import { subscriptionEnd } from './subscription-end.ts'

/** Every job; mails have a dispatcher of their own, since sending is no transaction. */
export const JOBS: Job[] = [boostEnd, linkEnd, subscriptionEnd, networkSilence, cleanUp]
