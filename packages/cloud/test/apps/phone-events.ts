import { AppServer, type AppSession } from '@mentra/sdk'

/** An app on the unmodified SDK that prints one line for each event of the phone that its handlers receive. */
class PhoneEventPrinter extends AppServer {
  protected override async onSession({ events, location, device }: AppSession): Promise<void> {
    events.onPhoneNotifications((payload) => print('notification', payload))
    events.onPhoneNotificationDismissed((payload) => print('dismissed', payload))
    events.onCalendarEvent((payload) => print('calendar', payload))
    events.onGlassesBattery((payload) => print('battery', payload))
    events.on('glasses_connection_state', (payload) => print('connection', payload))
    events.onCustomMessage('update_datetime', (payload) => print('datetime', payload))
    events.onError((error) => print('error', error.message))
    device.state.batteryLevel.onChange((payload) => print('level', payload))
    events.onButtonPress(({ buttonId }) => {
      if (buttonId === 'poll') void poll()
      if (buttonId === 'follow')
        location.subscribeToStream({ accuracy: 'realtime' }, (payload) => print('location', payload))
    })
    const poll = async () => {
      try {
        print('latest', await location.getLatestLocation({ accuracy: 'realtime' }))
      } catch (reason) {
        print('no-latest', reason)
      }
    }
    print('ready', true)
  }
}

function print(event: string, payload: unknown): void {
  console.log(`received ${event} ${JSON.stringify(payload)}`)
}

const { API_KEY = '', PACKAGE_NAME = '', PORT } = process.env
await new PhoneEventPrinter({ packageName: PACKAGE_NAME, apiKey: API_KEY, port: Number(PORT) }).start()
