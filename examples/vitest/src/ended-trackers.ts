type Device = { name: string; tracker_status: { sub_state: string } }

/** Names of the trackers whose subscription has ended. It is a placeholder for your code: it uses the API and nothing of this stack. */
export async function listEndedTrackers(token: string) {
  const response = await fetch('/devices/?type=tracker', { headers: { authorization: `Bearer ${token}` } })
  if (!response.ok) throw new Error(`The trackers could not be read: ${response.status}`)
  const devices: Device[] = await response.json()
  return devices.filter(({ tracker_status }) => tracker_status.sub_state === 'ended').map(({ name }) => name)
}
