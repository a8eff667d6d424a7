import { formatNumber, plural } from '../../format.ts'

/** Texts of the overview of an app. */
export const overviewTexts = {
  health: {
    title: 'Does it work?',
    verdicts: {
      works: { title: 'The app works', hint: 'Its last start succeeded.' },
      worked: {
        title: 'The app worked when it was last used',
        hint: 'It was started in the last 7 days.',
      },
      noKey: {
        title: 'The app has no API key, so that it cannot connect',
        hint: 'Make a key, and start the app server with it.',
      },
      unsigned: {
        title: 'The cloud cannot sign its calls with a key of this app',
        hint: 'AUTH_SECRET of this cloud has changed since the keys were made. Make a new key, and start the app server with it.',
      },
      serverDown: {
        title: 'The cloud did not reach the app server at last',
        hint: 'Check that the server runs. The test of the connection finds the hop that fails.',
      },
      failed: {
        title: 'The last start failed',
        hint: 'The log says at which stage; the test of the connection finds the hop that fails.',
      },
      unknown: {
        title: 'The app was not started lately',
        hint: 'Test its connection, or start it on your glasses.',
      },
    },
    server: 'App server',
    reached: 'Reached at the last call',
    notReached: 'Not reached at the last call',
    notCalled: 'Not called in the last day',
    lastStart: 'Last start',
    noStart: 'None in the last day',
    lastError: 'Last error',
    noError: 'None in the last day',
    sessions: 'Sessions in the last 7 days',
    sessionCount: (count: number) =>
      plural(count, { one: '1 session', other: `${formatNumber(count)} sessions` }),
    users: (count: number) =>
      plural(count, { one: 'At most 1 user a day', other: `At most ${formatNumber(count)} users a day` }),
    test: 'Test connection',
    log: 'Live log',
    errors: 'See errors',
    keys: 'Keys',
    usage: 'Usage',
  },
  store: {
    title: 'Store',
    states: {
      DEVELOPMENT: 'Only you and the members of its organization see the app.',
      SUBMITTED: 'An administrator of this cloud reviews the app. Until then only its owners see it.',
      REJECTED: 'An administrator rejected the app. Change what the notes say, and publish it again.',
      PUBLISHED: 'Everyone on this cloud can install the app.',
    },
    submitted: (time: string) => `Submitted ${time}.`,
    decided: (time: string) => `Decided ${time}.`,
    notes: 'Notes of the reviewer',
    publish: 'Publish',
    published: (name: string) => `${name} is in the store`,
    inReview: (name: string) => `${name} is submitted for review`,
    unpublish: {
      button: 'Unpublish',
      question: (name: string) => `Take ${name} out of the store?`,
      hint: 'Nobody else can install it any longer. Wearers who have it keep it.',
    },
    withdraw: {
      button: 'Withdraw from review',
      question: (name: string) => `Withdraw ${name} from review?`,
      hint: 'It stays as it is, and can be submitted again.',
    },
  },
  owner: {
    title: 'Owner',
    is: (name: string) => `Owner: ${name}`,
    you: 'You',
    none: 'Make an organization to share the app',
    label: 'New owner',
    move: 'Move',
    question: (name: string, target: string) => `Move ${name} to ${target}?`,
    toYou: 'The members of the organization lose their access to it.',
    toOrganization: (target: string) =>
      `All members of ${target} can change and publish it, and only its administrators can move or delete it.`,
    moved: (name: string, target: string) => `${name} belongs to ${target}`,
  },
  deletion: {
    title: 'Delete the app',
    description: 'Deletes the app for everyone. To hide it only, unpublish it.',
    question: (name: string) => `Delete ${name} for good?`,
    consequences: [
      'It stops for all wearers and is uninstalled.',
      'Its keys, images, log and what it stored about wearers are deleted.',
      'Its package name is free for others. This cannot be undone.',
    ],
    confirm: (packageName: string) => `Type ${packageName} to confirm`,
    cancel: 'Cancel',
    deleted: (name: string) => `${name} is deleted`,
  },
} as const
