/** Longest text of each kind, in characters. */
export const TEXT_LENGTH = {
  deviceName: 50,
  placeName: 80,
  alertName: 80,
  address: 200,
  tagName: 30,
  personName: 50,
  phone: 30,
  linkLabel: 60,
  linkNote: 200,
  silenceNote: 200,
  keyLabel: 60,
  networkServer: 500,
  uplinkPath: 120,
  message: 1000,
  description: 2000,
  policeReference: 60,
} as const
