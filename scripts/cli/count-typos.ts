/** How many letters have to be added, removed or replaced to make one word of another (the distance of Levenshtein). */
export function countTypos(one: string, other: string) {
  let before = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [row, letter] of [...one].entries()) {
    const line = [row + 1]
    for (const [column, wanted] of [...other].entries())
      line.push(Math.min(line[column]! + 1, before[column + 1]! + 1, before[column]! + (letter === wanted ? 0 : 1)))
    before = line
  }
  return before.at(-1)!
}
