import { CARRIERS } from '#contracts/operator/orders.ts'

type Carrier = (typeof CARRIERS)[number]

/** Other names of these carriers, in lower case. */
const ALIASES: Partial<Record<Carrier, readonly string[]>> = {
  DHL: ['deutsche post'],
  Hermes: ['evri'],
  FedEx: ['tnt'],
  'La Poste': ['colissimo', 'chronopost'],
  'Österreichische Post': ['post.at'],
  'Die Post': ['swiss post', 'la poste suisse'],
  'Poste Italiane': ['sda'],
  Bring: ['posten'],
  'Česká pošta': ['ceska posta'],
  Zásilkovna: ['packeta', 'zasilkovna'],
}

/** The page on which each carrier shows a parcel. */
const PAGES: Record<Carrier, (id: string) => string> = {
  DHL: (id) => `https://www.dhl.com/en/home/tracking.html?tracking-id=${id}`,
  DPD: (id) => `https://tracking.dpd.de/status/en_US/parcel/${id}`,
  GLS: (id) => `https://gls-group.eu/EU/en/parcel-tracking?match=${id}`,
  Hermes: (id) => `https://www.myhermes.de/empfangen/sendungsverfolgung/sendungsinformation/#${id}`,
  UPS: (id) => `https://www.ups.com/track?tracknum=${id}`,
  FedEx: (id) => `https://www.fedex.com/fedextrack/?trknbr=${id}`,
  'La Poste': (id) => `https://www.laposte.fr/outils/suivre-vos-envois?code=${id}`,
  PostNL: (id) => `https://postnl.nl/tracktrace/?B=${id}`,
  bpost: (id) => `https://track.bpost.cloud/btr/web/#/search?itemCode=${id}`,
  'Österreichische Post': (id) => `https://www.post.at/sv/sendungsdetails?snr=${id}`,
  'Die Post': (id) => `https://service.post.ch/ekp-web/ui/entry/search/${id}`,
  Correos: (id) => `https://www.correos.es/es/en/tools/tracker/items/details?tracking-number=${id}`,
  CTT: (id) => `https://www.ctt.pt/feapl_2/app/open/objectSearch/objectSearch.jspx?objects=${id}`,
  'Poste Italiane': (id) => `https://www.poste.it/cerca/index.html#/risultati-spedizioni/${id}`,
  PostNord: (id) => `https://tracking.postnord.com/en/tracking?id=${id}`,
  Posti: (id) => `https://www.posti.fi/en/tracking#/lahetys/${id}`,
  Bring: (id) => `https://tracking.bring.com/tracking/${id}`,
  'Česká pošta': (id) => `https://www.postaonline.cz/en/trackandtrace/-/zasilka/cislo?parcelNumbers=${id}`,
  Zásilkovna: (id) => `https://tracking.packeta.com/en/?id=${id}`,
  'Magyar Posta': (id) => `https://www.posta.hu/nyomkovetes/nyitooldal?searchvalue=${id}`,
  InPost: (id) => `https://inpost.pl/en/find-parcel?number=${id}`,
  'Royal Mail': (id) => `https://www.royalmail.com/track-your-item#/tracking-results/${id}`,
  USPS: (id) => `https://tools.usps.com/go/TrackConfirmAction?tLabels=${id}`,
  'Japan Post': (id) => `https://trackings.post.japanpost.jp/services/srv/search/?requestNo1=${id}&locale=en`,
}

/** The page of a parcel; null for an unknown carrier or without a number. */
export function findParcelPage(carrier: string | null, tracking: string | null) {
  const name = carrier?.trim().toLowerCase() ?? ''
  const known = CARRIERS.find((each) => each.toLowerCase() === name || ALIASES[each]?.includes(name))
  return known && tracking ? PAGES[known](encodeURIComponent(tracking)) : null
}
