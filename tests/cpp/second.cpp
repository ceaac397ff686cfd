// The second file that includes the header: nothing is defined twice.
#include <playmat.hpp>

std::size_t games_seen_from_here()
{
    return playmat::games().size();
}
