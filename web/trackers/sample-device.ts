import type { Device, TrackerConfig, TrackerStatus } from '#contracts/trackers/devices.ts'

type Parts = Partial<Omit<Device, 'tracker_config' | 'tracker_status'>> & {
  config?: Partial<TrackerConfig>
  status?: Partial<TrackerStatus>
}

/** Time of the sample tracker's last message. For tests, and for the page /dev/ui. */
export const SAMPLE_AT = new Date('2026-03-02T09:00:00Z')

/** A moving dog with a running subscription; tests override the relevant fields. */
export const sampleDevice = ({ config, status, ...device }: Parts = {}): Device => ({
  id: 1,
  type: 'tracker_01',
  name: 'Rex',
  serial: 'ALICE0000001',
  identifier: '1000000001',
  kind: 'dog',
  tag: null,
  is_public: false,
  visible: true,
  linked_to_pro: false,
  operator: 'lora',
  online_since: null,
  active_collar_since: null,
  price: null,
  ...device,
  tracker_config: {
    board_name: 'T1-A',
    usage: 'dog',
    mode: 21,
    pending_mode: null,
    mode_state: 'applied',
    frequency_moving: { min: 10, max: 15 },
    frequency_stationary: { min: 240, max: 240 },
    network_state: 'active',
    ...config,
  },
  tracker_status: {
    sub_state: 'active',
    sub_end_date: '2026-12-01T00:00:00Z',
    battery: 85,
    last_position: { lat: -34.9, lng: -56.16, precision: 6, datetime: SAMPLE_AT.toISOString() },
    last_address: 'Rambla República de Chile 4507, Malvín',
    last_event: null,
    stationary_since: null,
    online_since: null,
    ...status,
  },
})
