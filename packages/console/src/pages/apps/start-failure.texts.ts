/** Why the server of an app was not reached or refused the start, by the code of the response, for its developers. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing accepts connections at the address of the app server.',
  ENOTFOUND: 'The host of the app server does not exist in DNS.',
  EAI_AGAIN: 'The host of the app server could not be resolved.',
  ECONNRESET: 'The app server closed the connection.',
  UND_ERR_SOCKET: 'The app server closed the connection.',
  EHOSTUNREACH: 'There is no route to the app server.',
  ETIMEDOUT: 'The app server did not accept the connection in time.',
  UND_ERR_CONNECT_TIMEOUT: 'The app server did not accept the connection in time.',
  TIMEOUT: 'The app server did not answer in time.',
  STILL_STOPPING: 'The app was still stopping.',
  FORBIDDEN_ADDRESS: 'The app server has no public address, and this cloud calls public addresses only.',
  NO_ADDRESS: 'The app has no address of a server.',
  ANSWER_TOO_LONG: 'The answer of the app server was too long.',
  NO_CONNECTION: 'The app server answered, but did not open its socket in time.',
  INVALID_API_KEY: 'The app server presented an invalid API key.',
  CERT_HAS_EXPIRED: 'The certificate of the app server has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate of the app server is signed by itself.',
  APP_NOT_FOUND: 'The app no longer exists.',
  STORE_UNAVAILABLE: 'The cloud could not read the app from its database.',
}

/** The code of a response other than 200, which contains its status. */
const REFUSED = /^REFUSED_(\d{3})$/

export const startFailureTexts = {
  stages: {
    WEBHOOK: 'Call of the app server',
    CONNECTION: 'Socket of the app',
    AUTHENTICATION: 'API key',
    TIMEOUT: 'Waiting for the app server',
    STOPPED: 'Stopped meanwhile',
    STORE: 'Database',
  } as Readonly<Record<string, string>>,
  stage: 'Stage',
  reason: 'Reason',
  reasonOf: (code: string): string => {
    const [, status] = REFUSED.exec(code) ?? []
    if (status !== undefined) return `The app server answered with status ${status}.`
    return `${REASONS[code] ?? 'The app server could not be reached.'} (${code})`
  },
  openLog: 'Open the log',
  testConnection: 'Test the connection',
} as const
