type Media = 'microphone' | 'camera'

/** What to do, by the name of the error of the browser. */
const PROBLEMS: ReadonlyMap<string, (media: Media) => string> = new Map([
  [
    'NotAllowedError',
    (media) =>
      `The browser does not give this page the ${media}. Allow it in the address bar, and try again.`,
  ],
  ['NotFoundError', (media) => `There is no ${media}. Connect one, and try again.`],
  ['NotReadableError', (media) => `Another program uses the ${media}. Close it, and try again.`],
])

/**
 * Opens the microphone or the camera of the computer.
 * @throws {Error} with a sentence for the user, if they do not allow it or it cannot be used
 */
export async function openMedia(
  media: Media,
  constraints: MediaStreamConstraints,
  devices: Pick<MediaDevices, 'getUserMedia'> | undefined = navigator.mediaDevices,
): Promise<MediaStream> {
  if (devices === undefined)
    throw new Error(`Browsers give pages the ${media} over https and at http://localhost only.`)
  try {
    return await devices.getUserMedia(constraints)
  } catch (error) {
    const problem = error instanceof DOMException && PROBLEMS.get(error.name)
    const sentence = problem
      ? problem(media)
      : `The browser could not open the ${media}. Connect it again, or choose another one in the browser.`
    throw new Error(sentence, { cause: error })
  }
}
