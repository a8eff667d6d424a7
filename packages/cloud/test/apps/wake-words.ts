import { AppServer, type AppSession } from '@mentra/sdk'

/** An app on the unmodified SDK that prints one line for each wake word, and for each text that it receives. */
class WakeWordPrinter extends AppServer {
  protected override async onSession({ events }: AppSession): Promise<void> {
    events.on('wake_word', (payload) => print('wake_word', payload))
    events.onPermissionError((error) => print('permission_error', error))
    print('ready', true)
  }
}

function print(event: string, payload: unknown): void {
  console.log(`received ${event} ${JSON.stringify(payload)}`)
}

const { API_KEY = '', PACKAGE_NAME = '', PORT } = process.env
await new WakeWordPrinter({ packageName: PACKAGE_NAME, apiKey: API_KEY, port: Number(PORT) }).start()
