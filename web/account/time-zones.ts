/** All time zones the browser knows, plus `current` if the browser does not know it. */
export const timeZones = (current: string | null) => {
  const known = Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')
  return current === null || known.includes(current) ? known : [current, ...known]
}
