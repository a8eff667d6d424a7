/** Returns the next of the numbers 1, 2, 4, 6, 8, 10, 20, 40, …, whose half is round as well. @param value above 0 */
export function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  const step = [1, 2, 4, 6, 8, 10].find((factor) => factor * power >= value) ?? 10
  return step * power
}
