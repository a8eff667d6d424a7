import type { SettingGroup } from './setting-group.ts'

export const HTTPS_SETTINGS = {
  title: 'HTTPS',
  intro: 'Certificates without a proxy in front: see [https](https.md).',
  settings: {
    TLS: {
      fallback: '`off`',
      description:
        '`files`: with a certificate in `TLS_CERT_FILE`; `auto`: with one that an ACME authority such as Let’s Encrypt issues; `local`: with one of an authority of its own, for a home network; `off`: plain HTTP, for loopback and behind a proxy',
    },
    TLS_HOSTS: {
      fallback: 'the host of `PUBLIC_URL`',
      description:
        '`auto`: host names of the certificate, separated by commas; `local`: host names and addresses beside those of this machine',
    },
    TLS_CERT_FILE: {
      fallback: 'none',
      description:
        '`files`: PEM file with the certificate, followed by those between it and the authority (`fullchain.pem`)',
    },
    TLS_KEY_FILE: {
      fallback: 'none',
      description: '`files`: PEM file with the private key of that certificate (`privkey.pem`)',
    },
    TLS_ACME_TERMS_AGREED: {
      fallback: '`false`',
      description: '`auto`: `true` agrees to the terms of service of the authority; required',
    },
    TLS_ACME_EMAIL: {
      fallback: 'none',
      description: '`auto`: where the authority may write to about your certificate',
    },
    TLS_ACME_DIRECTORY: {
      fallback: '`https://acme-v02.api.letsencrypt.org/directory`',
      description:
        '`auto`: directory URL of the authority; `https://acme-staging-v02.api.letsencrypt.org/directory` issues certificates for tests',
    },
    TLS_ACME_CHALLENGE: {
      fallback: 'both, one after the other',
      description:
        '`auto`: how the authority checks that the host is yours: `http-01` on port 80, or `tls-alpn-01` on port 443',
    },
    TLS_ACME_EAB_KEY_ID: {
      fallback: 'none',
      description: '`auto`: key id of an account that you have at the authority (external account binding)',
    },
    TLS_ACME_EAB_HMAC_KEY: {
      fallback: 'none',
      description: '`auto`: its key, in base64url',
      isSecret: true,
    },
    TLS_REDIRECT_PORT: {
      fallback: '80 where `PORT` is 443, 8080 where it is 8443, otherwise 0',
      description:
        'port for plain HTTP on `HOST`, which redirects to HTTPS and answers `http-01`; `0` does not listen',
    },
  },
} as const satisfies SettingGroup
