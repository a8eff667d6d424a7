import { plural } from '../../format.ts'

const messages = (count: number) => plural(count, { one: '1 message', other: `${count} messages` })
const ms = (value: number) => `${Math.round(value)} ms`

/** Texts of the tools that record: inspector, replay and timing. */
export const recordingTexts = {
  inspector: {
    title: 'Inspector',
    description:
      'Every frame between these glasses and the cloud, checked against the schema of its message.',
    filter: 'Filter by type or content',
    show: 'Frames to show',
    shows: {
      all: 'All frames',
      sent: 'To the cloud',
      received: 'From the cloud',
      suspicious: 'Invalid or unknown',
    },
    directions: { sent: 'to the cloud', received: 'from the cloud' },
    checks: { valid: 'Valid', invalid: 'Invalid', unknown: 'Unknown type' },
    pause: 'Pause',
    clear: 'Clear',
    export: 'Export',
    none: 'No frames yet',
    noMatch: 'No frame matches',
    count: (shown: number, all: number) => `${shown} of ${all} frames`,
    audio: (count: number) => `audio, ${plural(count, { one: '1 frame', other: `${count} frames` })}`,
    content: (type: string) => `Content of ${type}`,
    copy: 'Copy',
    copied: 'Copied',
  },
  replay: {
    title: 'Replay a recording',
    description:
      'Sends the messages of the glasses again, from a file that the inspector exported. Sound is not recorded.',
    open: 'Open a recording',
    useInspector: 'Use the frames in the inspector',
    empty: 'The recording contains no message of the glasses.',
    nothing: 'Nothing is loaded.',
    progress: (count: number, sent: number) => `${messages(count)} · ${sent} of ${count} sent`,
    progressLabel: 'Progress of the replay',
    next: 'Next:',
    stop: 'Stop',
    start: 'Replay with its timing',
    step: 'Send the next one',
  },
  send: {
    title: 'Send a message',
    description: 'Anything that glasses and phones may send, or that they should not.',
    message: 'Message',
    valid: 'Matches the schema of its type.',
    unknown: 'The contract has no message of this type: apps that subscribe to it receive it as it is.',
    send: 'Send',
  },
  starts: {
    title: 'App starts',
    description:
      'What happened when, as these glasses see it. For your own apps, also what the cloud logged.',
    none: 'Start an app to see its timeline.',
    moments: {
      requested: 'The console asked for the start',
      starting: 'The cloud started it',
      webhook: 'Webhook of the app',
      socket: 'The app connected its socket',
      running: 'The app is running',
      display: 'First content on the lens',
      answered: 'The start was answered',
      failed: 'The start failed',
    },
    phases: {
      request: 'Request',
      webhook: 'Webhook',
      socket: 'Socket',
      running: 'Session',
      content: 'First content',
      response: 'Response',
      failure: 'Failure',
    },
    after: (time: number) => `+${ms(time)}`,
    detail: (moment: string, detail: string) => `${moment} (${detail})`,
    phase: (name: string, from: number, to: number) =>
      `${name}: ${ms(to - from)}, from ${ms(from)} to ${ms(to)}`,
    duration: ms,
    picture: (app: string, total: number) => `Start of ${app}: ${ms(total)} in all`,
  },
  delays: {
    title: 'Speech to lens',
    description:
      'Time from the words that the phone recognized, or from the sound of the microphone, to the next content on the lens, measured in this browser.',
    none: 'Say something while an app listens.',
    sound: 'Sound of the microphone',
    summary: (count: number, median: number, max: number) =>
      `${plural(count, { one: '1 utterance', other: `${count} utterances` })}: half were on the lens within ${ms(median)}, the slowest took ${ms(max)}.`,
    unanswered: 'Nothing has been shown after these words yet.',
    chart: 'Delay of each utterance',
    bar: (words: string, delay: string) => `${words}: ${delay}`,
    table: 'Delay by utterance',
    columns: { at: 'Time', words: 'Words', interim: 'From first', final: 'From last' },
    value: (delay: number | undefined) => (delay === undefined ? 'not shown' : ms(delay)),
  },
} as const
