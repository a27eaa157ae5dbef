type Size = { width: number; height: number /** The value that reaches the top; a higher one raises the scale. */; top: number }

/** Svg paths of values at even distances: the line, and the area under it. */
export const sparkline = (values: readonly number[], { width, height, top }: Size) => {
  const highest = Math.max(top * 0.5, ...values)
  const step = width / Math.max(1, values.length)
  const points = values.map((value, index) => `${round((index + 0.5) * step)} ${round(height - 2 - (value / highest) * (height - 4))}`)
  const floor = height - 2
  const line = `M0 ${floor} L${points.join(' L')} L${width} ${floor}`
  return { line, area: `${line} L${width} ${height} L0 ${height} Z` }
}

const round = (value: number) => Math.round(value * 10) / 10
