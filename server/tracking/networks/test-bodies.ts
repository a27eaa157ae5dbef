/** Bodies as each network sends them, about the tracker with DevEUI 70B3D57ED005A1F2, IMEI 490154203237518 or Sigfox id 1CFA02. */

export const IMEI = '490154203237518'
export const DEV_EUI = '70B3D57ED005A1F2'
export const SIGFOX = '1CFA02'

const SECONDS = Date.parse('2026-03-02T09:00:30Z') / 1000

const deviceInfo = {
  tenantId: '0b6b4a0a-6b0d-4d32-9f55-3f8c1f1ad001',
  tenantName: 'Demo',
  applicationId: '5c7e4d0e-2a3c-4d1e-9d61-0d2d0f3ad002',
  applicationName: 'Dogs',
  deviceProfileId: 'a1a7d5a2-2a55-4e1f-8d54-b1a9a2f0d003',
  deviceProfileName: 'Collar',
  deviceName: 'rex',
  devEui: DEV_EUI.toLowerCase(),
  deviceClassEnabled: 'CLASS_A',
  tags: { pet: 'dog' },
}

/** An event of ChirpStack 4. */
export const chirpstack4 = (content: object) => ({
  deduplicationId: 'f0f1c7f0-3b0e-4b8a-8a7e-7a0000000001',
  time: '2026-03-02T09:00:30.775023242+00:00',
  deviceInfo,
  devAddr: '00189440',
  ...content,
})

const up = {
  adr: true,
  dr: 1,
  fCnt: 12,
  fPort: 2,
  confirmed: false,
  data: 'AWcA6w==',
  rxInfo: [
    {
      gatewayId: '0016c001f153a14c',
      uplinkId: 4217106255,
      nsTime: '2026-03-02T09:00:30.800111222+00:00',
      rssi: -36,
      snr: 10.5,
      location: { latitude: -34.7, longitude: -56.3, altitude: 40 },
      metadata: { region_name: 'eu868' },
    },
  ],
  txInfo: { frequency: 867100000, modulation: { lora: { bandwidth: 125000, spreadingFactor: 11, codeRate: 'CR_4_5' } } },
}

export const CHIRPSTACK_UP = chirpstack4({ ...up, object: { latitude: -34.9, longitude: -56.15, accuracy: 8.2, battery: 79 } })
export const CHIRPSTACK_RAW = chirpstack4({ ...up, data: 'AYj6rLj3bqQAD6A=' })

/** An event of ChirpStack 3, which sends the DevEUI in base64. */
export const chirpstack3 = (content: object) => ({
  applicationID: '123',
  applicationName: 'dogs',
  deviceName: 'rex',
  devEUI: 'cLPVftAFofI=',
  deviceProfileName: 'collar',
  tags: {},
  ...content,
})

export const CHIRPSTACK3_UP = chirpstack3({
  rxInfo: [
    {
      gatewayID: 'AAgACAAIAAg=',
      time: '2026-03-02T09:00:30.123456Z',
      timeSinceGPSEpoch: null,
      rssi: -48,
      loRaSNR: 9,
      location: { latitude: -34.7, longitude: -56.3, altitude: 40 },
      uplinkID: 'pzSi9RVmRj2rGvEXmRWUBQ==',
    },
  ],
  txInfo: { frequency: 868100000, modulation: 'LORA', loRaModulationInfo: { bandwidth: 125, spreadingFactor: 11, codeRate: '4/5' } },
  adr: true,
  dr: 1,
  fCnt: 10,
  fPort: 5,
  data: 'AWcA6w==',
  objectJSON: '{"gps_0":{"latitude":-34.9,"longitude":-56.15,"altitude":12.5},"batteryLevel":79}',
})

export const HELIUM_CONSOLE = {
  app_eui: '6081F9A1B2C3D4E5',
  decoded: { payload: { lat: -34.9, lng: -56.15, acc: 9, batV: 3.98, battery_percent: 79 }, status: 'success' },
  dev_eui: DEV_EUI,
  devaddr: '48000A3B',
  downlink_url: 'https://console.example.com/api/v1/down/1/2/3',
  fcnt: 19,
  hotspots: [
    { frequency: 868.1, id: '11KHJ', name: 'icy-fiery-hippo', reported_at: SECONDS * 1000, rssi: -54, snr: 9.8, lat: -34.7, long: -56.3 },
  ],
  id: '7c523974-4ce7-4a92-948b-55171a6e4d77',
  metadata: { labels: [], organization_id: 'd724b93a-895a-4175-9852-8738ae31050b' },
  name: 'rex',
  payload: 'AWcA6w==',
  payload_size: 4,
  port: 2,
  raw_packet: 'QDsKAEg=',
  replay: false,
  reported_at: SECONDS * 1000,
  type: 'uplink',
  uuid: 'c2a3a1a6-6c39-4e8f-b6a2-000000000001',
}

const ttsIds = {
  end_device_ids: {
    device_id: 'rex',
    application_ids: { application_id: 'dogs' },
    dev_eui: DEV_EUI,
    join_eui: '800000000000000C',
    dev_addr: '00BCB929',
  },
  correlation_ids: ['as:up:01H'],
  received_at: '2026-03-02T09:00:31.954236764Z',
}

export const tts = (content: object) => ({ ...ttsIds, ...content })

const ttsUplink = {
  session_key_id: 'AXBSH1Pk6Z0G166Awsfk',
  f_port: 2,
  f_cnt: 15,
  frm_payload: 'AWcA6w==',
  rx_metadata: [
    {
      gateway_ids: { gateway_id: 'roof', eui: '0016C001F153A14C' },
      time: '2026-03-02T09:00:30.553412Z',
      rssi: -58,
      snr: 12,
      location: { latitude: -34.7, longitude: -56.3, altitude: 47, source: 'SOURCE_REGISTRY' },
      received_at: '2026-03-02T09:00:30.467711084Z',
    },
  ],
  settings: { data_rate: { lora: { bandwidth: 125000, spreading_factor: 7, coding_rate: '4/5' } }, frequency: '868100000' },
  received_at: '2026-03-02T09:00:30.749842730Z',
  consumed_airtime: '0.112896s',
  network_ids: { net_id: '000013', tenant_id: 'ttn', cluster_id: 'eu1' },
}

export const TTS_UP = tts({
  uplink_message: {
    ...ttsUplink,
    decoded_payload: {
      altitude: 44.5,
      hdop: 0.9,
      heading: 99,
      latitude: -34.9,
      longitude: -56.15,
      sats: 11,
      speed: 31.669,
      time: '2026-03-02T09:00:29.000Z',
    },
    last_battery_percentage: { f_cnt: 14, value: 79.13, received_at: '2026-03-02T08:00:30.749842730Z' },
  },
})

export const TTS_LOCATED = tts({
  uplink_message: {
    ...ttsUplink,
    decoded_payload: { temperature_1: 23.5 },
    locations: { 'lora-cloud': { latitude: -34.9, longitude: -56.15, accuracy: 120, source: 'SOURCE_LORA_TDOA_GEOLOCATION' } },
  },
})

export const THINGPARK_UP = {
  DevEUI_uplink: {
    Time: '2026-03-02T10:00:30.882+01:00',
    DevEUI: DEV_EUI,
    FPort: '2',
    FCntUp: '1174',
    ADRbit: '1',
    MType: '2',
    payload_hex: '016700eb',
    mic_hex: 'cfffc70f',
    Lrcid: '00000206',
    LrrRSSI: '-80.000000',
    LrrSNR: '7.000000',
    Lrrid: '004A18E3',
    LrrLAT: '-34.7',
    LrrLON: '-56.3',
    Lrrs: { Lrr: [{ Lrrid: '004A18E3', Chain: '0', LrrRSSI: '-80.000000' }] },
    DevLAT: '-34.9',
    DevLON: '-56.15',
    DevLocRadius: '90',
    CustomerID: '1100000077',
    CustomerData: { name: 'rex', loc: { lat: '-34.6', lon: '-56.4' } },
    BatteryLevel: '201',
    DevAddr: '04D2848E',
  },
}

export const THINGPARK_JOIN = {
  DevEUI_notification: {
    Time: '2026-03-02T10:00:30.490+01:00',
    DevEUI: DEV_EUI,
    Lrcid: '00000065',
    DevAddr: '0405F519',
    CustomerID: '100000507',
    Type: 'join',
    Var1: '',
    Var2: '',
  },
}

export const SIGFOX_ADVANCED = {
  device: SIGFOX,
  time: SECONDS,
  data: '10297eb01e621122070000be',
  seqNumber: 8,
  lqi: 'GOOD',
  operatorName: 'SIGFOX_France',
  lat: '-35.0',
  lng: '-56.0',
  computedLocation: { lat: -34.9, lng: -56.15, radius: 1983, source: 2, status: 1 },
}

export const SIGFOX_DECODED = {
  device: '001cfa02',
  time: String(SECONDS),
  data: '09495a9085f5c94c',
  latitude: '-34.9',
  longitude: '-56.15',
  battery: '79',
}

export const TRACCAR_POSITION = {
  position: {
    id: 4711,
    attributes: { batteryLevel: 79, sat: 9, ignition: true, distance: 12.3, totalDistance: 4567.8, motion: true },
    deviceId: 3,
    protocol: 'gt06',
    serverTime: '2026-03-02T09:00:31.000+00:00',
    deviceTime: '2026-03-02T09:00:30.000+00:00',
    fixTime: '2026-03-02T09:00:30.000+00:00',
    outdated: false,
    valid: true,
    latitude: -34.9,
    longitude: -56.15,
    altitude: 35.7,
    speed: 10,
    course: 63,
    address: null,
    accuracy: 8.2,
    network: null,
    geofenceIds: null,
  },
  device: {
    id: 3,
    attributes: {},
    groupId: 0,
    name: 'rex',
    uniqueId: IMEI,
    status: 'online',
    lastUpdate: '2026-03-02T09:00:31.000+00:00',
    positionId: 4710,
    phone: null,
    model: null,
    category: 'animal',
    disabled: false,
  },
}

export const TRACCAR_EVENT = {
  event: {
    id: 9,
    attributes: { alarm: 'sos' },
    deviceId: 3,
    type: 'alarm',
    eventTime: '2026-03-02T09:00:31.000+00:00',
    positionId: 4711,
    geofenceId: 0,
  },
  position: TRACCAR_POSITION.position,
  device: TRACCAR_POSITION.device,
}

export const TRACCAR_OFFLINE = {
  event: { id: 10, attributes: {}, deviceId: 3, type: 'deviceOffline', eventTime: '2026-03-02T09:00:31.000+00:00', positionId: 0 },
  device: TRACCAR_POSITION.device,
}
