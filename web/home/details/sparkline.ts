type Size = {
  width: number
  height: number
  /** The value that reaches the top; a higher one raises the scale. */
  top: number
  /** Number of values that fit in the width; fewer fill it from the left. */
  places: number
}

/** SVG paths of evenly spaced values: the line, and the area under it. */
export const sparkline = (values: readonly number[], { width, height, top, places }: Size) => {
  const [floor, step] = [height - 2, width / places]
  const highest = Math.max(top, ...values)
  const points = values.map((value, index) => `${round((index + 0.5) * step)} ${round(floor - (value / highest) * (height - 4))}`)
  const end = round(Math.max(0, values.length - 0.5) * step)
  const line = `M0 ${floor} L${points.join(' L')}`
  return { line, area: `${line} L${end} ${floor} L${end} ${height} L0 ${height} Z` }
}

const round = (value: number) => Math.round(value * 10) / 10
