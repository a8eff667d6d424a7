import { after } from 'node:test'

/** Something whose end removes what was created in it: the context of a test, or `suiteScope()`. */
export interface Scope {
  after(cleanUp: () => unknown): void
}

/** A scope that ends with the enclosing suite, for what a suite creates in `before`. Call it in the body of `describe`. */
export function suiteScope(): Scope {
  const steps: (() => unknown)[] = []
  after(async () => {
    for (const step of steps.reverse()) await step()
  })
  return { after: (step) => void steps.push(step) }
}

/** Runs clean-up steps at the end of a scope in reverse order, so that a server is closed before its folder is removed. */
export class CleanUpStack {
  readonly #steps: (() => unknown)[] = []

  constructor(scope: Scope) {
    scope.after(async () => {
      for (const step of this.#steps.reverse()) await step()
    })
  }

  after(step: () => unknown): void {
    this.#steps.push(step)
  }
}
