/** Port of the first app, which other programs rarely use. */
const PORT = 7300

/** Address of the first app on the machine of its developer. */
export const FIRST_APP_URL = `http://127.0.0.1:${PORT}`

/** Version of the app SDK that the first app is written for. */
const SDK = '@mentra/sdk@2'

/** Proposes a package name for the first app of a user. */
export function firstPackageName(email: string): string {
  const name = email
    .slice(0, email.indexOf('@'))
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  return `dev.${name || 'me'}.first`
}

/** What the first app needs to know. */
export interface FirstAppOptions {
  readonly packageName: string
  readonly publicUrl: string
  /** Address of the cloud. */
  readonly cloudUrl: string
  /** Undefined if it is not known any longer. */
  readonly apiKey: string | undefined
}

/** The files and commands of a first app, by name. */
export function firstApp({ packageName, publicUrl, cloudUrl, apiKey }: FirstAppOptions) {
  const port = Number(URL.parse(publicUrl)?.port) || PORT
  return {
    install: `npm init -y\nnpm install ${SDK}`,
    /** Content of `app.mts`. */
    code: `import { AppServer, type AppSession } from '@mentra/sdk'

/** Shows what you say on the lens. */
class FirstApp extends AppServer {
  protected override async onSession(session: AppSession): Promise<void> {
    session.events.onTranscription(({ text }) => {
      session.layouts.showTextWall(\`You said: \${text}\`)
    })
    session.layouts.showTextWall('Say something.')
  }
}

const app = new FirstApp({
  packageName: ${quote(packageName)},
  apiKey: process.env.API_KEY ?? '',
  port: ${port},
  cloudApiUrl: ${quote(cloudUrl)},
})
await app.start()
`,
    /** Content of `.env`. */
    env: `API_KEY=${apiKey ?? 'PASTE-THE-KEY-HERE'}\n`,
    run: 'node --env-file=.env app.mts',
  }
}

/** A JavaScript string with single quotes. */
function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
