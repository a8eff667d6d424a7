import { useQuery } from '@tanstack/react-query'
import { privacyQuery, useSavePrivacy } from '../../api/account.ts'
import { Card } from '../../components/Page.tsx'
import { QueryState } from '../../components/States.tsx'
import { Switch } from '../../components/Switch.tsx'
import { reportFailure, reportSuccess } from '../../components/Toasts.tsx'

const SETTING_NAMES = {
  shareUsageData: 'Share usage data with the operator of this cloud',
  receiveNotifications: 'Receive notifications',
  allowDataCollection: 'Allow apps to collect data for their improvement',
} as const

const SETTINGS = ['shareUsageData', 'receiveNotifications', 'allowDataCollection'] as const

/** What the cloud and apps may do with the user's data. */
export function Privacy() {
  const privacy = useQuery(privacyQuery)
  const save = useSavePrivacy()
  return (
    <Card title="Privacy">
      <QueryState query={privacy} skeleton="text">
        {(settings) =>
          SETTINGS.map((name) => (
            <Switch
              key={name}
              isSelected={settings[name]}
              onChange={(value) =>
                save.mutate(
                  { [name]: value },
                  { onSuccess: () => reportSuccess('Privacy settings saved'), onError: reportFailure },
                )
              }
            >
              {SETTING_NAMES[name]}
            </Switch>
          ))
        }
      </QueryState>
    </Card>
  )
}
