let next: Promise<void> | undefined

/**
 * Resolves in the next turn of the event loop, when all promises that can be settled are. Schedules that run side by
 * side share the turns.
 */
export function nextTurn(): Promise<void> {
  next ??= new Promise((resolve) =>
    setImmediate(() => {
      next = undefined
      resolve()
    }),
  )
  return next
}
