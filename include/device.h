#pragma once

/**
 * @file
 * Empty: host codes include it by name and use nothing of it.
 */
