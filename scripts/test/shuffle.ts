/** Returns the items in an order that depends on the seed only, so that a run can be repeated (xorshift, Fisher-Yates). */
export function shuffle<Item>(items: readonly Item[], seed: number): Item[] {
  let state = seed >>> 0 || 1
  const next = (below: number) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
  const shuffled = [...items]
  for (let index = shuffled.length - 1; index > 0; index -= 1) {
    const other = next(index + 1)
    const [one, two] = [shuffled[index], shuffled[other]] as [Item, Item]
    shuffled[index] = two
    shuffled[other] = one
  }
  return shuffled
}
