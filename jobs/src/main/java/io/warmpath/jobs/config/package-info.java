/** What the jobs are told, and what they look for before they start. */
package io.warmpath.jobs.config;
