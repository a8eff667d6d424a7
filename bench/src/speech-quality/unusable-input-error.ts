/** Something that was given to the command cannot be measured; the message is a sentence that says what and why. */
export class UnusableInputError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'UnusableInputError'
  }
}
