import { AppServer, type AppSession } from '@mentra/sdk'

/** An app on the unmodified SDK that writes down, a line each, what its own handlers are told of the phone. */
class Listener extends AppServer {
  protected override async onSession({ events, location, device }: AppSession): Promise<void> {
    events.onPhoneNotifications((heard) => say('notification', heard))
    events.onPhoneNotificationDismissed((heard) => say('dismissed', heard))
    events.onCalendarEvent((heard) => say('calendar', heard))
    events.onGlassesBattery((heard) => say('battery', heard))
    events.on('glasses_connection_state', (heard) => say('connection', heard))
    events.onCustomMessage('update_datetime', (heard) => say('datetime', heard))
    events.onError((error) => say('error', error.message))
    device.state.batteryLevel.onChange((heard) => say('level', heard))
    events.onButtonPress(({ buttonId }) => {
      if (buttonId === 'poll') void poll()
      if (buttonId === 'follow')
        location.subscribeToStream({ accuracy: 'realtime' }, (heard) => say('location', heard))
    })
    const poll = async () => {
      try {
        say('latest', await location.getLatestLocation({ accuracy: 'realtime' }))
      } catch (reason) {
        say('no-latest', reason)
      }
    }
    say('ready', true)
  }
}

function say(what: string, heard: unknown): void {
  console.log(`heard ${what} ${JSON.stringify(heard)}`)
}

const { API_KEY = '', PACKAGE_NAME = '', PORT } = process.env
await new Listener({ packageName: PACKAGE_NAME, apiKey: API_KEY, port: Number(PORT) }).start()
