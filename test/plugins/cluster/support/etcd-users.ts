import type { EtcdServer } from './etcd-server.ts';

export const rootPassword = 'root-password-of-etcd';
export const memberPassword = 'a-password-of-etcd';

/** Adds the users `root` and `waywiser`. The second one may read and write below /waywiser only. Strangers may do nothing. */
export async function addUsers(etcd: EtcdServer): Promise<void> {
  const end = Buffer.from('/waywiser0').toString('base64');
  const key = Buffer.from('/waywiser/').toString('base64');
  await etcd.ask('auth/user/add', { name: 'root', password: rootPassword });
  await etcd.ask('auth/role/add', { name: 'root' });
  await etcd.ask('auth/user/grant', { user: 'root', role: 'root' });
  await etcd.ask('auth/role/add', { name: 'fleet' });
  await etcd.ask('auth/role/grant', { name: 'fleet', perm: { permType: 'READWRITE', key, range_end: end } });
  await etcd.ask('auth/user/add', { name: 'waywiser', password: memberPassword });
  await etcd.ask('auth/user/grant', { user: 'waywiser', role: 'fleet' });
  await etcd.ask('auth/enable', {});
}
