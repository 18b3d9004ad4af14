import { authProtocols, namesOf, privProtocols } from '../../model/v3-protocols.ts';
import { Type } from '../../typebox.ts';
import { OneOf, Text } from '../keywords/scalars.ts';

const secret = `A secret: \${env:NAME} or \${file:name}. Plain text is accepted with a warning.`;

const passphrase = `At least 8 characters. ${secret}`;

export const CommunitySchema = Text({ description: `An SNMP v1 or v2c community. ${secret}` });

export const V3CredentialSchema = Type.Object(
  {
    username: Text({ description: 'The USM user name.' }),
    authentication_protocol: Type.Optional(
      OneOf(['noauth', ...namesOf(authProtocols)], {
        default: 'noauth',
        description: 'How messages are authenticated.',
      }),
    ),
    authentication_passphrase: Type.Optional(Text({ description: passphrase })),
    privacy_protocol: Type.Optional(
      OneOf(['nopriv', ...namesOf(privProtocols)], {
        default: 'nopriv',
        description: 'How messages are encrypted. The c forms use the Reeder key extension.',
      }),
    ),
    privacy_passphrase: Type.Optional(Text({ description: passphrase })),
    authoritative_engine_id: Type.Optional(
      Text({ description: 'The engine id in hexadecimal, if it is known.' }),
    ),
    authoritative_engine_boots: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 0x7fffffff, description: 'The engine boots, if they are known.' }),
    ),
    authoritative_engine_time: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 0x7fffffff, description: 'The engine time, if it is known.' }),
    ),
    secret_key: Type.Optional(
      Text({ description: `The localized authentication key in hexadecimal. ${secret}` }),
    ),
    privacy_key: Type.Optional(Text({ description: `The localized privacy key in hexadecimal. ${secret}` })),
    authentication_parameters: Type.Optional(
      Type.String({ description: 'Accepted for compatibility and ignored.' }),
    ),
    privacy_parameters: Type.Optional(
      Type.String({ description: 'Accepted for compatibility and ignored.' }),
    ),
  },
  { additionalProperties: false, description: 'A USM user, tried in the order of the list.' },
);
