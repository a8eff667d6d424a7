/** A model cannot be installed. The message is a sentence for administrators that says why and what to do. */
export class InstallError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'InstallError'
  }
}

/** The files of an installed model are missing from the file store, or are not those that were installed. */
export class SpeechModelMissingError extends Error {
  constructor(id: string, problem = 'is not installed') {
    super(`The speech model ${id} ${problem}`)
    this.name = 'SpeechModelMissingError'
  }
}
