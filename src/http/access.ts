import type { FastifyContextConfig } from 'fastify';

/** Each role may do what the roles before it may. `public` needs no authentication at all. */
export const httpRoles = ['public', 'read', 'operate', 'admin'] as const;
export type HttpRole = (typeof httpRoles)[number];

/** Whether a role may do what another one may. */
export function hasRole(given: HttpRole, needed: HttpRole): boolean {
  return httpRoles.indexOf(given) >= httpRoles.indexOf(needed);
}

/** The `config` of a route: the role that a caller needs. Without it, a safe method such as GET needs `read`, any other method `admin`. */
export function access(role: HttpRole): FastifyContextConfig {
  return { role } as FastifyContextConfig;
}
