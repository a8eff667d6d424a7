/** A model that the library cannot load as its manifest describes it. */
export class UnusableModelError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UnusableModelError'
  }
}
