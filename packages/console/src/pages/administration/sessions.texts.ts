import { formatNumber, plural } from '../../format.ts'

/** Texts of the page of live sessions. */
export const sessionsTexts = {
  title: 'Live sessions',
  connection: { connecting: 'Connecting…', live: 'Live', lost: 'Connection lost; trying again' },
  search: 'Search by user, glasses, app or node',
  total: (count: number) =>
    plural(count, { one: '1 live session', other: `${formatNumber(count)} live sessions` }),
  columns: { user: 'User', glasses: 'Glasses', apps: 'Apps', node: 'Node', actions: 'Actions' },
  since: (time: string) => `Since ${time}`,
  glasses: { waiting: 'Waiting', none: 'Not connected', unknown: 'Connected, unknown model' },
  microphone: (use: string) => `Microphone: ${use}`,
  microphoneUses: { off: 'off', pcm: 'sound', transcription: 'speech as text' },
  noApps: 'None',
  sockets: (count: number) =>
    plural(count, { one: '1 app connected', other: `${formatNumber(count)} apps connected` }),
  unknown: '–',
  empty: {
    title: 'Nobody wears glasses',
    hint: 'A session begins when glasses connect. Simulated ones are at Glasses in the menu.',
  },
  noMatch: { title: 'No session matches', hint: 'Search for a part of another word.' },
  end: {
    label: (email: string) => `End the session of ${email}`,
    question: (email: string) => `End the session of ${email}?`,
    hint: 'Its apps stop and the glasses are disconnected. They may connect again.',
    button: 'End',
    done: (email: string) => `The session of ${email} has ended`,
  },
} as const
