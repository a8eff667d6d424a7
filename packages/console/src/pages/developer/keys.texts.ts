/** Texts of the page of API keys. */
export const keysTexts = {
  title: 'API keys',
  description:
    'The app server proves with a key who it is. The cloud does not keep keys and cannot show them again.',
  none: {
    title: 'The app has no key, so it cannot connect',
    hint: 'Make one, and start the app server with it.',
  },
  unsigned: {
    title: 'The cloud cannot sign its calls with every key',
    hint: 'AUTH_SECRET of this cloud has changed since they were made, so that the app server rejects calls, or starts fail. Make a new key, start the app server with it, and revoke the old ones.',
    badge: 'Cannot sign',
  },
  newest: 'Newest',
  columns: { key: 'Key', made: 'Made', used: 'Last use', actions: 'Actions' },
  make: {
    button: 'Make a new key',
    question: 'Make a third key?',
    hint: (oldest: string) =>
      `At most two keys are valid at a time. The oldest one, ${oldest}, is revoked, and app servers that use it lose their connections.`,
    confirm: 'Make the key and revoke the oldest',
  },
  revoke: {
    button: 'Revoke',
    label: (id: string) => `Revoke key ${id}`,
    question: (id: string) => `Revoke the key ${id}?`,
    only: 'It is the only key: the app loses its connections and cannot start until it has another one.',
    other: 'App servers that use it lose their connections at once.',
    done: (id: string) => `The key ${id} is revoked`,
  },
  rotation: {
    title: 'Replace a key without interruption',
    steps: [
      'Make a new key. Both are valid then.',
      'Start the app server with the new key.',
      'Revoke the old key.',
    ],
  },
  fresh: {
    title: 'Your new API key',
    description: 'Copy it now: it is shown only once.',
    label: 'API key',
    done: 'I have stored it',
  },
} as const
