/** Variations in which backends differ although each of them follows the same specification. */
export type Habits = {
  /** `Authorization: Token …` or `Authorization: Bearer …`; the other scheme is rejected. */
  scheme: 'Token' | 'Bearer'
  ids: 'integer' | 'uuid' | 'serial'
  /** Where the fields of a tracker are: on the tracker itself, all in `tracker_status`, or all in `attributes`. */
  place: 'tracker' | 'tracker_status' | 'attributes'
  /** Fields with a name of this backend's own; an empty name omits the field. */
  names: Readonly<Record<string, string>>
  position: 'latitude' | 'lat_lng' | 'lat_lon' | 'lat_long' | 'point' | 'feature' | 'wkt' | 'flat'
  /** Name of the time of a position; absent if the backend has no such field. */
  positionTime: string | undefined
  times: 'offset' | 'utc' | 'epoch' | 'milliseconds'
  /** Decimal numbers as text, as Django REST Framework writes them. */
  decimals: 'text' | 'number'
  pages: 'none' | 'page' | 'offset' | 'cursor' | 'links'
  pageSize: number
  /** Largest page that a client may request; 0 if it cannot choose. */
  largestPage: number
  envelope: 'none' | 'data'
  errors: 'drf' | 'problem' | 'message' | 'list'
  notFound: 'html' | 'json'
  wrongPassword: 400 | 401
  /** Status of a request with an expired session. */
  endedSession: 401 | 403
  /** Path prefix that a proxy removes before the request reaches the backend. */
  prefix: string
  /** Host name in the backend's `next` URLs; empty for the host of the request. */
  innerHost: string
  settings: 'three' | 'all'
  /** `expanded` is a list of Stripe's with the products inside, and a price that is no longer sold. */
  prices: 'stripe' | 'document' | 'flat' | 'expanded'
  /** Currencies of each plan, in the order of the list. */
  currencies: 'eur' | 'usd,eur'
  paymentSession: 'documented' | 'url'
  /** How a public link is read, and whether the list of trackers accepts its token. */
  links: 'list' | 'one' | 'pages'
  linkToken: 'uuid' | 'token'
  visitors: 'list' | 'refused'
  /** The value of `user` in the response to a sign-in. */
  loginUser: 'object' | 'name'
  /** The response to a valid activation code: the tracker, or a sentence. */
  linked: 'tracker' | 'sentence'
  /** Failed sign-ins a minute before the next one is rejected. */
  signInsPerMinute: number
  /** Requests a minute before the next one is rejected. */
  requestsPerMinute: number
  /** Headers that a page of another origin may read, such as `Retry-After`; empty for none. */
  exposedHeaders: string
}

const DRF: Habits = {
  scheme: 'Token',
  ids: 'integer',
  place: 'tracker',
  names: {},
  position: 'latitude',
  positionTime: 'timestamp',
  times: 'offset',
  decimals: 'text',
  pages: 'page',
  pageSize: 10,
  largestPage: 0,
  envelope: 'none',
  errors: 'drf',
  notFound: 'html',
  wrongPassword: 400,
  endedSession: 401,
  prefix: '',
  innerHost: '',
  settings: 'three',
  prices: 'stripe',
  currencies: 'eur',
  paymentSession: 'documented',
  links: 'list',
  linkToken: 'uuid',
  visitors: 'list',
  loginUser: 'object',
  linked: 'tracker',
  signInsPerMinute: 10,
  requestsPerMinute: Number.POSITIVE_INFINITY,
  exposedHeaders: '',
}

export const BACKENDS = {
  drf: DRF,
  geojson: {
    ...DRF,
    scheme: 'Bearer',
    ids: 'uuid',
    names: { serial_number: 'identifier', public: 'is_public', last_position: 'location' },
    position: 'point',
    positionTime: 'location_updated_at',
    times: 'utc',
    decimals: 'number',
    pages: 'none',
    errors: 'problem',
    notFound: 'json',
    wrongPassword: 401,
    prices: 'document',
    settings: 'all',
    linkToken: 'token',
    loginUser: 'name',
    linked: 'sentence',
  },
  offset: {
    ...DRF,
    scheme: 'Bearer',
    ids: 'serial',
    names: { serial_number: 'sn', battery: 'battery_level', stationary_since: 'stopped_since' },
    position: 'flat',
    positionTime: 'last_seen',
    times: 'epoch',
    decimals: 'number',
    pages: 'offset',
    largestPage: 100,
    errors: 'message',
    notFound: 'json',
    wrongPassword: 401,
    prefix: '/api',
    innerHost: 'portal-backend:8000',
    prices: 'flat',
    links: 'one',
  },
  envelope: {
    ...DRF,
    scheme: 'Bearer',
    place: 'tracker_status',
    position: 'lat_lng',
    positionTime: 'at',
    times: 'milliseconds',
    decimals: 'number',
    pages: 'cursor',
    pageSize: 7,
    envelope: 'data',
    errors: 'list',
    wrongPassword: 401,
    endedSession: 403,
    prices: 'stripe',
    links: 'pages',
    visitors: 'refused',
  },
} satisfies Record<string, Habits>

export type BackendName = keyof typeof BACKENDS

/** Failures that can be switched on and off while a backend runs. */
export type Faults = {
  /** Delay of each response in milliseconds. */
  delayMs: number
  /** Page of the list of trackers, counted from 1, that responds 500; 0 for none. */
  failedPage: number
  /**
   * Start of the method and path of the request, such as `POST /devices/3/activate`, whose next response is lost after the state has
   * changed.
   */
  cut: string
  /** Number of requests that are still rejected with 503. */
  unavailable: number
  retryAfter: number
}

export const NO_FAULTS: Faults = { delayMs: 0, failedPage: 0, cut: '', unavailable: 0, retryAfter: 2 }
